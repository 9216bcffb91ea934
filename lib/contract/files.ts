import { z } from 'zod'

export const FileParams = z.object({ folder: z.string(), entityId: z.string(), objectId: z.string() })

export const AssetParams = z.object({ asset: z.string() })
