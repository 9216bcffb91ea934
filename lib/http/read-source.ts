/** What the text of a function file says that its definition does not repeat. */
export interface SourceFacts {
  /** The sentence above the definition. */
  summary: string | undefined
  /** What `handle` takes of its call. */
  takes: ReadonlySet<string>
}

const SENTENCE = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*export default define(?:Function|Content)\(/
const TAKEN = /\bhandle\(\{([^}]*)\}/

const words = (text: string, separator: RegExp) => text.split(separator).filter((word) => word !== '')

/** Reads the sentence and the handler's parameters out of a function file, so that nobody writes them twice. */
export function readSource(source: string): SourceFacts {
  const sentence = SENTENCE.exec(source)?.[1]
  const taken = TAKEN.exec(source)?.[1]

  return {
    summary: sentence === undefined ? undefined : words(sentence.replace(/^\s*\*/gm, ''), /\s+/).join(' '),
    takes: new Set(taken === undefined ? [] : words(taken, /[\s,]+/)),
  }
}
