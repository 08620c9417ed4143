"""ticket_text: the ticket's text comes once a session, from the prompt or from the branch."""

import pytest

from hookwright.testing.builders import SESSION, event


def prompt(text, session_id=SESSION):
    return event("UserPromptSubmit", prompt=text, session_id=session_id)


@pytest.fixture
def shop(asked):
    asked.write("tickets/SHOP-142.md", "The cart forgets its items.\n")
    asked.write("tickets/SHOP-7.txt", "Slow start.")
    return asked


def test_a_number_in_the_prompt_brings_the_text_once(shop):
    assert shop(prompt("please fix SHOP-142")).context == "Ticket SHOP-142:\nThe cart forgets its items."
    assert shop(prompt("what about SHOP-142 now?")) is None
    assert shop(prompt("fix SHOP-142", session_id="another")).context


def test_a_number_in_the_branch_counts_too(shop):
    shop.write(".git/HEAD", "ref: refs/heads/fix/SHOP-7-slow-start\n")
    assert shop(prompt("go on with SHOP-142")).context == (
        "Ticket SHOP-142:\nThe cart forgets its items.\n\nTicket SHOP-7:\nSlow start."
    )


@pytest.mark.parametrize("text", ["hello", "fix SHOP-999", "UTF-8 is fine", "XSHOP-142X"])
def test_other_prompts_bring_nothing(shop, text):
    assert shop(prompt(text)) is None


def test_the_clients_own_prompts_bring_nothing(shop):
    assert shop(prompt("<task-notification>SHOP-142</task-notification>")) is None


def test_a_long_ticket_is_cut_and_says_where_the_rest_is(shop):
    file = shop.write("tickets/SHOP-9.md", "word " * 100)
    told = shop(prompt("SHOP-9"), most=50).context
    assert len(told) < 200
    assert f"(the rest is in {file})" in told
