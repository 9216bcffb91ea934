import { DomainError } from '../errors.ts'
import type { Asset, FunctionDeps } from '../http/function-deps.ts'

/** Finds a file of the console by its hashed name. @throws DomainError NOT_FOUND */
export async function findConsoleAsset(deps: Pick<FunctionDeps, 'console'>, name: string): Promise<Asset> {
  const { assets } = await deps.console.files()
  const asset = assets.get(name)
  if (asset === undefined) throw new DomainError('NOT_FOUND', 'There is nothing at this address')
  return asset
}
