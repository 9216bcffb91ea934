import type { z } from 'zod'

type RawIssue = Parameters<z.core.$ZodErrorMap>[0]

const NOUNS: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

const QUOTED_MAX = 200
const shorten = (text: string) => (text.length <= QUOTED_MAX ? text : `${text.slice(0, QUOTED_MAX)}…`)

const KINDS: Record<string, string> = { string: 'characters', array: 'entries' }

function bounds(side: 'at least' | 'at most', origin: string, bound: number | bigint): string {
  const kind = KINDS[origin]
  if (side === 'at least' && kind !== undefined && Number(bound) === 1) return 'must not be empty'
  return kind === undefined ? `must be ${side} ${bound}` : `must have ${side} ${bound} ${kind}`
}

function describeComplaint(issue: RawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${NOUNS[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `must be ${issue.values.map(String).join(' or ')}`
    case 'too_small':
      return bounds('at least', issue.origin, issue.minimum)
    case 'too_big':
      return bounds('at most', issue.origin, issue.maximum)
    case 'unrecognized_keys':
      return `has an unknown field: ${shorten(issue.keys.join(', '))}`
    default:
      return undefined
  }
}

/**
 * Describes in a sentence for people why a schema without a message refused its input. Undefined leaves it to zod. `whole`
 * names the whole input.
 */
export function describeIssue(issue: RawIssue, whole = 'The body'): string | undefined {
  const complaint = describeComplaint(issue)
  const subject = issue.path?.length ? issue.path.map(String).join('.') : whole
  return complaint && `${subject} ${complaint}`
}
