"""Processes and files: one module for each mechanism, and the only place that implements it.

    atomic_write    replace a file whole            child_process   spawn, feed, capture, deadline: the core
    safe_read       read a file that is not ours    run_programs    several programs at once, synchronously
    file_lock       one holder at a time            run_async       a program from an event loop
    private_dir     directories of mode 0700        run_forked      a function in a forked child
    spawn           start a process, also detached  kill_group      end a process group
    sweep           remove what is old              kill_marked     find and end what left its group
    scratch_dir     temporary directories

Everything else in the package calls these. Modules marked hot load C modules only, so the hook process may use them.
"""
