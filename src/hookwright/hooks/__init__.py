"""The built-in hooks, one package each; none imports another. `config/builtin_hooks.py` lists them in their order.

Modules beside the packages are shared by several hooks.
"""
