import { DomainError } from '../../base/errors.ts'
import { BODY_LEVELS_MAX, BODY_VALUES_MAX } from '../../contract/limits.ts'

const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c

const isOpening = (byte: number) => byte === 0x5b || byte === 0x7b
const isClosing = (byte: number) => byte === 0x5d || byte === 0x7d

function findEnd(bytes: Uint8Array, begin: number): number {
  let index = begin + 1
  while (index < bytes.length && bytes[index] !== QUOTE) index += bytes[index] === BACKSLASH ? 2 : 1
  return index
}

/** Counts levels and values, because a tree takes many times the memory of its text. @throws DomainError INVALID */
function assertBounds(bytes: Uint8Array): void {
  let level = 0
  let values = 1
  let isAfterOpening = false

  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0
    // White space and control characters, which are not JSON.
    if (byte <= SPACE) continue
    // The first value of a list or an object follows no comma.
    if (byte === COMMA || (isAfterOpening && !isClosing(byte))) values += 1
    isAfterOpening = isOpening(byte)
    if (isAfterOpening) level += 1
    if (isClosing(byte)) level -= 1
    if (level > BODY_LEVELS_MAX) throw new DomainError('INVALID', `The body has more than ${BODY_LEVELS_MAX} levels`)
    if (values > BODY_VALUES_MAX) throw new DomainError('INVALID', `The body has more than ${BODY_VALUES_MAX} values`)
    if (byte === QUOTE) index = findEnd(bytes, index)
  }
}

export function parseJson(bytes: Uint8Array): unknown {
  assertBounds(bytes)
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    throw new DomainError('INVALID', 'Malformed JSON in request body')
  }
}
