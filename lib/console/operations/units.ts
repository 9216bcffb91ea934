import { formatNumber } from '../format.ts'

export const MB = 1024 * 1024

export const toRate = (value: number) => `${formatNumber(value)} a second`
export const toMs = (value: number | null) => (value === null ? 'none' : `${formatNumber(value)} ms`)
export const toMb = (bytes: number) => `${Math.round(bytes / MB)} MB`
