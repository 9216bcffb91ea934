import { formatNumber } from '../format.ts'

export const MB = 1024 * 1024

export const toMs = (value: number) => `${formatNumber(value)} ms`
export const toMb = (bytes: number) => `${Math.round(bytes / MB)} MB`
