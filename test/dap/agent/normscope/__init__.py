"""Stands in for the agent: keeps what it was started with."""

import builtins


def inject(address, token, capture):
    builtins.normscope_received = [address, token, capture]
    return "NormScope is active; 0 norm layers found so far."


def call(function):
    prepared = function  # in agent
    return prepared()
