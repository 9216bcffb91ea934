/** Holds an answer that many requests share, with its JSON. The value must never change. */
export class JsonBytes<T> {
  readonly value: T
  readonly bytes: Buffer<ArrayBuffer>

  constructor(value: T) {
    this.value = value
    this.bytes = Buffer.from(JSON.stringify(value))
  }
}
