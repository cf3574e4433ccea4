"""WildTrace: does a language model really reason over long documents?"""

__version__ = "0.1.0"
