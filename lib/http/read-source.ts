/** What the text of a function file says that its definition does not repeat. */
export interface SourceFacts {
  /** The sentence above the definition, without its full stop. */
  summary: string | undefined
  /** What follows that sentence. */
  remark: string | undefined
  /** What `handle` takes of its call. */
  takes: ReadonlySet<string>
}

const COMMENT = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*export default define(?:Function|Content)\(/
const TAKEN = /\bhandle(?::\s*(?:async\s*)?)?\(\{([^}]*)\}/

const words = (text: string, separator: RegExp) => text.split(separator).filter((word) => word !== '')

/** Reads the sentence and the handler's parameters out of a function file, so that nobody writes them twice. */
export function readSource(source: string): SourceFacts {
  const comment = words((COMMENT.exec(source)?.[1] ?? '').replace(/^\s*\*/gm, ''), /\s+/).join(' ')
  const [summary, ...remark] = words(comment, /(?<=\.)\s/)

  return {
    summary: summary?.replace(/\.$/, ''),
    remark: remark.length > 0 ? remark.join(' ') : undefined,
    takes: new Set(words(TAKEN.exec(source)?.[1] ?? '', /[\s,]+/)),
  }
}
