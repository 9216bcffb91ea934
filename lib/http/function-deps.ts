import type { Deps } from '../deps.ts'

/** A static file of a page. */
export interface Asset {
  /** The file's own name with a digest of its content, so that a browser may keep it for good. */
  name: string
  type: string
  content: Buffer
}

/** Assets by their own names: `swagger-ui.css`. */
export type Assets = ReadonlyMap<string, Asset>

/** The documentation, each part made when it is first asked for. */
export interface Documents {
  /** JSON text. */
  openApi(): string
  /** JSON text. */
  asyncApi(): string
  page(): Promise<string>
  assets(): Promise<Assets>
}

/** The console as it was built: its files by their hashed names, and which of them the page names. */
export interface ConsoleFiles {
  script: string
  /** The files that the script imports before it can run. */
  imports: readonly string[]
  style: string
  assets: ReadonlyMap<string, Asset>
}

/** The console's files, read when they are first asked for. */
export interface ConsolePages {
  files(): Promise<ConsoleFiles>
}

/** Everything that functions may use: the documents describe them, so they are known only when all are loaded. */
export interface FunctionDeps extends Deps {
  documents: Documents
  console: ConsolePages
}
