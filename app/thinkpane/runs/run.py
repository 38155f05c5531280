"""One run: a prompt or conversation goes out, its reply comes back as events, and nothing of it is lost.

The contract that the window and the command line share. Threads: the client's thread fills a queue; `drain` is called
by whoever owns the transcript (the window every 16 ms, the command line in a loop); nothing else changes it.
"""
