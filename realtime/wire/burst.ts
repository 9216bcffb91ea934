/** A larger burst is not joined: the copy would cost more than further writes. */
const JOINED_MAX_BYTES = 16 * 1024

/**
 * The frames that a socket is sent in one turn, as the last link of a chain. Sockets that are sent the same frames share
 * the chain, and so the one buffer into which it is joined.
 */
export class Burst {
  readonly byteLength: number
  private readonly frame: Buffer
  private readonly before: Burst | undefined
  private next: Burst | undefined = undefined
  private joined: Buffer | undefined = undefined

  constructor(frame: Buffer, before?: Burst) {
    this.frame = frame
    this.before = before
    this.byteLength = frame.length + (before?.byteLength ?? 0)
  }

  /** This burst and then the last frame of another. */
  followedBy({ frame }: Burst): Burst {
    if (this.next?.frame !== frame) this.next = new Burst(frame, this)
    return this.next
  }

  /** All of it, in as few buffers as are worth it. */
  get chunks(): readonly Buffer[] | Buffer {
    if (this.before === undefined) return this.frame
    if (this.joined !== undefined) return this.joined
    const frames = this.frames()
    if (this.byteLength > JOINED_MAX_BYTES) return frames
    this.joined = Buffer.concat(frames, this.byteLength)
    return this.joined
  }

  private frames(): Buffer[] {
    const { frame, before } = this
    const frames = [frame]
    for (let burst = before; burst !== undefined; burst = burst.before) frames.push(burst.frame)
    return frames.reverse()
  }
}
