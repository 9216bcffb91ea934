import { z } from 'zod'
import { PATH_TEXT_MAX } from './limits.ts'
import { text } from './text.ts'

const segment = text(PATH_TEXT_MAX)

export const FileParams = z.object({ folder: segment, entityId: segment, objectId: segment })

export const AssetParams = z.object({ asset: segment })
