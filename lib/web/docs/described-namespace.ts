import type { Namespace } from '../../contract/namespaces/namespace.ts'

export interface DescribedNamespace {
  facts: Namespace
  admits: 'anyone' | 'user' | 'admin'
}
