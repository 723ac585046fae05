/** What every kind of store promises, as tests: `storeContract("files", () => …)`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Store } from "../../src/audit/index.ts";

export interface StorePlace extends AsyncDisposable {
  /** The same place each time: what one writer left, the next one finds. */
  open(): Store;
}

const text = (store: Store, name: string): string | undefined => store.files.read(name)?.toString("utf8");
const lines = (...all: string[]): Uint8Array => Buffer.from(all.map((line) => `${line}\n`).join(""));
const SEGMENT = "00000000000000000000.jsonl";

export function storeContract(kind: string, make: () => StorePlace): void {
  const contract = (name: string, run: (place: StorePlace) => Promise<void>): void => {
    test(`a store of ${kind}: ${name}`, { timeout: 30_000 }, async () => {
      await using place = make();
      await run(place);
    });
  };

  contract("what is written is there, in order, and stays for the next writer", async (place) => {
    const store = place.open();
    store.begin(0);
    store.write(lines("one", "two"));
    store.write(lines("three"));
    assert.equal(text(store, SEGMENT), "one\ntwo\nthree\n");
    await store.sync();
    await store.close();
    const again = place.open();
    again.begin(0);
    again.write(lines("four"));
    assert.equal(text(again, SEGMENT), "one\ntwo\nthree\nfour\n");
    const stamp = again.files.stamp(SEGMENT);
    assert.equal(again.files.stamp(SEGMENT), stamp);
    assert.equal(Buffer.concat([...again.files.chunks(SEGMENT, 8)]).toString(), "three\nfour\n");
    again.write(lines("five"));
    assert.notEqual(again.files.stamp(SEGMENT), stamp);
    await again.close();
  });

  contract("one writer at a time", async (place) => {
    const store = place.open();
    assert.throws(() => place.open(), { code: "AUD_LOCKED" });
    await store.close();
    await place.open().close();
  });

  contract("a new segment takes what is written after it was begun", async (place) => {
    const store = place.open();
    store.begin(0);
    store.write(lines("one"));
    const syncing = store.sync();
    store.begin(1);
    store.write(lines("two"));
    await syncing;
    await store.sync();
    assert.deepEqual([text(store, SEGMENT), text(store, "00000000000000000001.jsonl")], ["one\n", "two\n"]);
    await store.close();
  });

  contract("checkpoints stand one after another, with an empty line between", async (place) => {
    const store = place.open();
    await store.addCheckpoint("a\n\nsigned\n");
    await store.addCheckpoint("b\n\nsigned\n");
    assert.equal(text(store, "checkpoints"), "a\n\nsigned\n\nb\n\nsigned\n");
    store.cutCheckpoints(10);
    assert.equal(text(store, "checkpoints"), "a\n\nsigned\n");
    await store.close();
  });

  contract("hashes and the key are kept, a dropped segment leaves its hashes", async (place) => {
    const store = place.open();
    store.begin(0);
    store.write(lines("one"));
    store.begin(1);
    await store.keepHashes(0, Buffer.alloc(32, 1));
    await store.keepKey("name+id+key");
    await store.drop(0);
    assert.equal(text(store, SEGMENT), undefined);
    assert.deepEqual(store.files.read("00000000000000000000.hashes"), Buffer.alloc(32, 1));
    assert.equal(text(store, "log.vkey"), "name+id+key\n");
    await store.close();
  });

  contract("a segment without a whole entry can be begun anew", async (place) => {
    const store = place.open();
    store.begin(0);
    store.write(Buffer.from("half"));
    store.cutSegment(0);
    assert.equal(text(store, SEGMENT), "");
    await store.close();
  });

  contract("it is closed once, and nothing is left of its lock", async (place) => {
    const store = place.open();
    store.assertOwned();
    await store.close();
    await store.close();
    assert.deepEqual(
      place
        .open()
        .files.names()
        .filter((name) => name.includes("lock.")),
      [],
    );
  });
}
