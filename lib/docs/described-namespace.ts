import type { Namespace } from '../contract/namespace.ts'

/** What the documentation tells of a namespace that is served. */
export interface DescribedNamespace {
  facts: Namespace
  admits: 'anyone' | 'user' | 'admin'
}
