"""Scenarios of the package `bigcommerce`, one per run; the result is printed as JSON.

The client only knows the platform's own host. Its connections go to the sandbox on this machine, and all others are refused.
"""

import json
import os
import socket
import sys

HOST = "api.bigcommerce.com"
SANDBOX = ("127.0.0.1", int(os.environ["SANDBOX_TLS_PORT"]))


def address_of_the_sandbox(host, *_others, **_more):
    if host != HOST:
        raise OSError(f"A connection to {host} is refused: it is not the sandbox")
    return [(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", SANDBOX)]


socket.getaddrinfo = address_of_the_sandbox

from bigcommerce.api import BigcommerceApi  # noqa: E402
from bigcommerce.exception import ClientRequestException  # noqa: E402

api = BigcommerceApi(
    client_id="client", store_hash=os.environ["STORE_HASH"], access_token=os.environ["ACCESS_TOKEN"]
)

PERSON = {
    "first_name": "Ada",
    "last_name": "Example",
    "street_1": "1 Road",
    "city": "Austin",
    "state": "Texas",
    "zip": "78701",
    "country": "United States",
    "country_iso2": "US",
    "email": "ada@example.com",
}


def coupons():
    made = api.Coupons.create(
        name="Five off",
        code="FIVE",
        type="per_total_discount",
        amount="5",
        applies_to={"entity": "categories", "ids": [0]},
    )
    made.update(amount="7")
    found = [coupon.amount for coupon in api.Coupons.all(code="FIVE")]
    made.delete()
    return {"found": found, "left": list(api.Coupons.iterall())}


def groups():
    made = api.CustomerGroups.create(name="Trade")
    made.update(name="Friends")
    return [group.name for group in api.CustomerGroups.iterall()]


def orders():
    line = {"name": "Linen Shirt", "quantity": 2, "price_inc_tax": 54, "price_ex_tax": 49}
    made = api.Orders.create(customer_id=0, billing_address=PERSON, shipping_addresses=[PERSON], products=[line])
    made.update(status_id=2)
    order = api.Orders.get(made.id)
    lines = [line.name for line in order.products()]
    cities = [address.city for address in order.shipping_addresses()]
    return {"status": order.status, "lines": lines, "cities": cities}


def refusal():
    try:
        api.Orders.all(id=100)
    except ClientRequestException as error:
        return {"status": error.status_code, "content": error.content.decode()}
    return None


def store():
    return {"id": api.Store.all()["id"], "time": api.Time.all()["time"] > 0}


SCENARIOS = {"coupons": coupons, "groups": groups, "orders": orders, "refusal": refusal, "store": store}
print(json.dumps(SCENARIOS[sys.argv[1]]()))
