import type { Namespace } from '../contract/namespaces/namespace.ts'

/** A served namespace as the documentation shows it. */
export interface DescribedNamespace {
  facts: Namespace
  admits: 'anyone' | 'user' | 'admin'
}
