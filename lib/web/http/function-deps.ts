import type { Deps } from '../../deps.ts'
import type { createDemoAccounts } from '../../domain/auth/demo-users.ts'

/** The files of a page with their compressed forms, by their hashed names. */
export type Assets = ReadonlyMap<string, Readonly<Record<'identity' | 'br' | 'gzip', Buffer>>>

/** The documentation. Each part is built on first use. */
export interface Documents {
  openApi(): string
  asyncApi(): string
  page(): Promise<string>
  assets(): Promise<Assets>
}

/** The built console: its files, and the names that its page needs. */
export interface ConsoleFiles {
  script: string
  /** Files that the script imports statically. */
  imports: readonly string[]
  style: string
  assets: Assets
}

/** Everything that functions may use. The documents describe the functions, so they exist only once all are loaded. */
export interface FunctionDeps extends Deps {
  documents: Documents
  /** The tarball of the client of this version, read on first use. @throws DomainError NOT_FOUND before any build */
  clientPackage(): Promise<Uint8Array<ArrayBuffer>>
  /** The files are read on first use. */
  console: { files(): Promise<ConsoleFiles>; listDemoAccounts: ReturnType<typeof createDemoAccounts> }
}
