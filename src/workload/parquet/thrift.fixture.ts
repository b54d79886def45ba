import { ByteWriter } from "hyparquet-writer";
import { serializeTCompactProtocol } from "hyparquet-writer/src/thrift.js";

/** A structure in Thrift's compact protocol. */
export function thrift(structure: object): Uint8Array {
  const writer = new ByteWriter();
  serializeTCompactProtocol(writer, structure as never);
  return writer.getBytes();
}
