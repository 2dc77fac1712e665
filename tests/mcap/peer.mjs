// SPDX-License-Identifier: LGPL-2.1-or-later
// Has another implementation read every message of files that mcapsink wrote, field by field:
//
//   npm install @mcap/core @mcap/nodejs @mcap/support @foxglove/rosmsg @foxglove/rosmsg2-serialization
//   node peer.mjs FILE...
//
// Prints the number of messages of each topic. Ends with an error where a CRC, a schema or a message is
// not what that implementation expects.
import { open } from "node:fs/promises";
import { parse } from "@foxglove/rosmsg";
import { MessageReader } from "@foxglove/rosmsg2-serialization";
import { McapIndexedReader } from "@mcap/core";
import { FileHandleReadable } from "@mcap/nodejs";
import { loadDecompressHandlers } from "@mcap/support";

const decompressHandlers = await loadDecompressHandlers();
for (const name of process.argv.slice(2)) {
  const file = await open(name, "r");
  const reader = await McapIndexedReader.Initialize({
    readable: new FileHandleReadable(file),
    decompressHandlers,
  });
  const readers = new Map();
  const counts = {};
  for await (const message of reader.readMessages({ validateCrcs: true })) {
    const channel = reader.channelsById.get(message.channelId);
    const schema = reader.schemasById.get(channel.schemaId);
    if (!readers.has(schema.id)) {
      const types = parse(new TextDecoder().decode(schema.data), { ros2: true });
      readers.set(schema.id, new MessageReader(types));
    }
    readers.get(schema.id).readMessage(message.data);
    counts[channel.topic] = (counts[channel.topic] ?? 0) + 1;
  }
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (BigInt(total) !== reader.statistics.messageCount) throw new Error(`${name}: ${total} messages`);
  console.log(name, JSON.stringify(counts));
  await file.close();
}
