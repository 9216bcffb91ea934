/**
 * An image link was refused or could not be read. The message is the second half of a sentence for a person (`the
 * address is private`).
 */
export class ImageError extends Error {
  override readonly name = 'ImageError'
}
