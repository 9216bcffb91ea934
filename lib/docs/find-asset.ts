import { DomainError } from '../errors.ts'
import type { Asset, FunctionDeps } from '../http/function-deps.ts'

/** Finds a file of the documentation page by the name that the page gives it. @throws DomainError NOT_FOUND */
export async function findAsset({ documents }: Pick<FunctionDeps, 'documents'>, name: string): Promise<Asset> {
  for (const asset of (await documents.assets()).values()) if (asset.name === name) return asset

  throw new DomainError('NOT_FOUND', 'There is nothing at this address')
}
