import type { Deps } from '../../deps.ts'

/** A file as it is and, where that was made, compressed. */
export interface Asset {
  identity: Buffer
  br?: Buffer
  gzip?: Buffer
}

/** Static files of a page by their hashed names: a digest of the content in it lets a browser keep each for good. */
export type Assets = ReadonlyMap<string, Asset>

/** The documentation, each part made when it is first asked for. */
export interface Documents {
  openApi(): string
  /** JSON text. */
  asyncApi(): string
  page(): Promise<string>
  assets(): Promise<Assets>
}

/** The console as it was built: its files, and which of them the page names. */
export interface ConsoleFiles {
  script: string
  /** The files that the script imports before it can run. */
  imports: readonly string[]
  style: string
  assets: Assets
}

/** Everything that functions may use: the documents describe them, so they are known only when all are loaded. */
export interface FunctionDeps extends Deps {
  documents: Documents
  /** Read when it is first asked for. */
  console: { files(): Promise<ConsoleFiles> }
}
