"""Spending money.

Why: it is the user's.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.questions.one_way.text import Text

ID = "payment"
EXAMPLES = {
    "Which payment plan should I book?": "ask",
    "Buy the domain?": "ask",
    "Charge the card?": "ask",
    "Refund the order?": "ask",
    "Which part needs me to pay attention?": None,
    "Who is in charge?": None,
}
HARMLESS = ("pay attention", "pays off", "pay off", "in charge", "paid off", "free of charge", "no charge")
WORDS = (
    *("pay", "pays", "paid", "paying", "payment", "payments", "purchase", "purchases", "purchased", "purchasing"),
    *("buy", "buys", "buying", "charge", "charges", "charged", "charging", "billing", "billed", "invoice", "invoices"),
    *("refund", "refunds", "refunded", "subscribe", "subscription", "subscriptions", "payout", "payouts", "wire"),
    *("donate", "bezahlen", "zahlen", "zahlung", "kaufen", "payer", "paiement", "acheter", "pagar", "pago", "comprar"),
    *("pagare", "acquistare", "betalen", "оплатить", "оплата", "купить"),
)
PHRASES = ("credit card", "bank account", "bank transfer", "money transfer", "transfer money", "transfer funds",
           "place the order", "place an order", "upgrade the plan", "upgrade plan", "spend money", "real money",
           "costs money", "additional cost", "additional costs")  # fmt: skip
FRAGMENTS = ("支付", "付款", "购买", "購買", "支払", "購入", "결제", "구매")


def check(text: Text) -> str:
    text = text.without(HARMLESS)
    return text.word(WORDS) or text.phrase(PHRASES) or text.fragment(FRAGMENTS)
