import { useEffect, useState } from 'preact/hooks'
import type { Answer } from '../../client/index.ts'
import { hall } from '../hall.ts'
import { notifyError } from '../notices.ts'

export type Platforms = Answer<'GET /platforms'>

let asked: Promise<Platforms> | undefined

function load(): Promise<Platforms> {
  asked ??= hall.call('GET /platforms')
  asked.catch(() => {
    asked = undefined
  })
  return asked
}

/** All platforms, sorted by name, read once. */
export function usePlatforms(): Platforms {
  const [platforms, setPlatforms] = useState<Platforms>([])
  useEffect(() => {
    load().then(setPlatforms, notifyError)
  }, [])
  return platforms
}
