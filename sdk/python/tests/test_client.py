"""The client against a scripted server of this machine: retries, time limits, errors, documents."""

import json
import threading
import typing
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from placard import ApiError, ConnectionFailed, GraphqlError, InputError, Placard, rest, schema
from placard.schema import API_VERSION
from placard.selection import build_operation


class ClientTest(unittest.TestCase):
    def setUp(self):
        self.seen = []
        self.script = []
        self.waits = []
        self.released = threading.Event()
        test = self

        class Handler(BaseHTTPRequestHandler):
            def handle_any(self):
                length = int(self.headers.get("content-length", 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                test.seen.append((self.command, self.path, headers, self.rfile.read(length)))
                step = test.script.pop(0) if len(test.script) > 1 else test.script[0]
                if step == "hang":
                    test.released.wait(60)
                    return
                status, body, extra = (*step, {})[:3]
                data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                for name, value in {"content-length": str(len(data)), **extra}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = handle_any

            def log_message(self, *args):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        base = f"http://127.0.0.1:{self.server.server_port}"
        self.client = Placard(
            "1000", core_url=base, delivery_url=base, api_key="key", timeout=30, wait=self.waits.append
        )

    def tearDown(self):
        self.released.set()
        self.server.shutdown()
        self.server.server_close()

    def test_a_failed_response_is_tried_three_times(self):
        for status in (500, 502, 503, 504):
            self.script, self.waits[:], self.seen[:] = [(status, {"error": "x"})], [], []
            with self.assertRaises(ApiError) as caught:
                self.client.ads({"adUnit": "home"})
            self.assertEqual((caught.exception.status, caught.exception.code, caught.exception.attempts), (status, "x", 3))
            self.assertEqual([round(wait - 0.124) for wait in self.waits], [1, 2])

    def test_a_refused_request_is_never_tried_again(self):
        for status in (400, 401, 403, 404):
            self.script, self.seen[:] = [(status, {"error": "x", "message": "Why."})], []
            self.assertRaisesRegex(ApiError, "x: Why.", self.client.ads, {"adUnit": "home"})
            self.assertEqual(len(self.seen), 1)

    def test_a_limit_is_waited_for_if_it_opens_within_a_minute(self):
        self.script = [(429, {"error": "rate_limited"}, {"retry-after": "7"}), (200, {"ads": []})]
        self.assertEqual(self.client.ads({"adUnit": "home"}), {"ads": []})
        self.assertEqual(self.waits, [7.0])
        self.script = [(429, {"error": "rate_limited"}, {"retry-after": "3600"})]
        self.assertRaises(ApiError, self.client.ads, {"adUnit": "home"})

    def test_a_response_that_does_not_come_is_a_failure_that_says_so(self):
        self.script = ["hang"]
        with self.assertRaises(ConnectionFailed) as caught:
            self.client.ads({"adUnit": "home"}, timeout=0.05)
        self.assertEqual((caught.exception.timed_out, caught.exception.attempts), (True, 3))

    def test_no_bid_is_none_and_carries_no_key(self):
        self.script = [(204, None)]
        self.assertIsNone(self.client.bid({"id": "1", "imp": [], "site": {}}))
        method, path, headers, _body = self.seen[0]
        self.assertEqual((method, path, headers.get("authorization")), ("POST", "/1000/bid", None))

    def test_a_redirect_is_not_followed(self):
        self.script = [(302, None, {"location": f"http://127.0.0.1:{self.server.server_port}/elsewhere"})]
        with self.assertRaises(ApiError):
            self.client.bulk_jobs()
        self.assertEqual(len(self.seen), 1)

    def test_an_event_keeps_its_reference_when_it_is_sent_again(self):
        self.script = [(503, {}), (200, {"status": "accepted"})]
        self.client.record_event({"actgid": "a", "event": "bought"})
        first, second = (json.loads(body) for _m, _p, _h, body in self.seen)
        self.assertEqual(first, second)
        self.assertEqual((len(first["ord"]), first["network"]), (36, "1000"))

    def test_rows_of_a_bulk_job_are_lines_and_are_sent_once(self):
        self.script = [(503, {"error": "unavailable"})]
        rows = [{"externalId": "1"}, {"externalId": "2"}]
        self.assertRaises(ApiError, self.client.submit_bulk_job, rows, resource="advertisers")
        [(_method, path, headers, body)] = self.seen
        self.assertEqual((path, headers["content-type"]), ("/bulk-jobs?resource=advertisers", "application/x-ndjson"))
        self.assertEqual(body, b'{"externalId": "1"}\n{"externalId": "2"}\n')

    def test_a_mutation_is_sent_again_with_its_key_and_a_document_without_one_is_not(self):
        self.script = [(503, {}), (200, {"data": {"archiveCampaign": {"validatedOnly": False}}})]
        data = self.client.mutate({"archiveCampaign": ({"id": "7"}, {"validatedOnly": True})})
        self.assertEqual(data, {"archiveCampaign": {"validatedOnly": False}})
        keys = [headers["idempotency-key"] for _m, _p, headers, _b in self.seen]
        self.assertEqual((len(keys), len(set(keys))), (2, 1))
        self.script, self.seen[:] = [(503, {})], []
        self.assertRaises(ApiError, self.client.graphql, 'mutation { archiveCampaign(id: "7") { validatedOnly } }')
        self.assertEqual(len(self.seen), 1)

    def test_mistakes_in_an_input_are_raised_unless_they_are_selected(self):
        mistakes = [{"code": "EMPTY", "field": "input.name", "message": "Give a name."}]
        refused = (200, {"data": {"createAdvertiser": {"advertiser": None, "userErrors": mistakes}}})
        self.script = [refused, refused]
        with self.assertRaisesRegex(GraphqlError, "Give a name."):
            self.client.mutate({"createAdvertiser": ({"input": {"name": ""}}, {"advertiser": {"id": True}})})
        self.assertEqual(self.seen[0][2]["x-placard-version"], API_VERSION)
        chosen = {"userErrors": {"code": True, "field": True, "message": True}}
        data = self.client.mutate({"createAdvertiser": ({"input": {"name": ""}}, chosen)})
        self.assertEqual(data["createAdvertiser"]["userErrors"], mistakes)

    def test_errors_of_a_document_are_raised_with_the_data(self):
        self.script = [(200, {"data": None, "errors": [{"message": "no such field"}]})]
        with self.assertRaisesRegex(GraphqlError, "no such field"):
            self.client.graphql("{ nothing }")

    def test_input_that_cannot_be_right_is_refused_before_anything_is_sent(self):
        for bad in ({"network": "x"}, {"core_url": "http://core.example"}, {"environment": "test"}):
            with self.assertRaises(InputError):
                Placard(**{"network": "1000", **bad})
        with self.assertRaisesRegex(InputError, "core_url"):
            Placard("1000", api_key="key").query({"campaigns": {"totalCount": True}})
        with self.assertRaisesRegex(InputError, "api_key"):
            Placard("1000", core_url="https://core.example").query({"campaigns": {"totalCount": True}})

    def test_addresses_of_staging_carry_its_prefix(self):
        self.script = [(200, {"jobs": []})]
        base = f"http://127.0.0.1:{self.server.server_port}/"
        Placard("1000", core_url=base, environment="staging", api_key="key").bulk_jobs()
        self.assertEqual(self.seen[0][1], "/staging/bulk-jobs")


class SelectionTest(unittest.TestCase):
    def test_arguments_become_variables(self):
        name = '"}) { id } evil'
        document, variables = build_operation(
            "mutation", {"createAdvertiser": ({"input": {"name": name}}, {"validatedOnly": True})}
        )
        self.assertEqual(
            document, "mutation ($v0: CreateAdvertiserInput!) { createAdvertiser(input: $v0) { validatedOnly } }"
        )
        self.assertEqual(variables, {"v0": {"name": name}})

    def test_arguments_below_the_first_level_have_their_types(self):
        selection = {"lineItem": ({"id": "7"}, {"creatives": ({"first": 3}, {"nodes": {"id": True}})})}
        document, _variables = build_operation("query", selection)
        self.assertIn("query ($v0: ID!, $v1: Int)", document)

    def test_what_is_no_selection_is_refused(self):
        for bad in ({}, {"a b": True}, {"campaigns": ({"frist": 1}, {"totalCount": True})}, {"campaigns": {"x": 7}}):
            with self.assertRaises(InputError):
                build_operation("query", bad)


class TypesTest(unittest.TestCase):
    def test_every_generated_type_can_be_resolved(self):
        for module in (schema, rest):
            for name, value in vars(module).items():
                if isinstance(value, type) and value.__module__ == module.__name__:
                    with self.subTest(name):
                        typing.get_type_hints(value)


if __name__ == "__main__":
    unittest.main()
