import { z } from 'zod'

export const Health = z.object({ status: z.literal('ok') }).meta({ id: 'Health' })
export type Health = z.infer<typeof Health>

export const FileParams = z.object({ folder: z.string(), entityId: z.string(), objectId: z.string() })

export const AssetParams = z.object({ asset: z.string() })
