import { baseUrl } from './settings.ts'

async function call(route: string, { params = {}, query = {}, body, signal }: any = {}): Promise<any> {
  const [method, path] = route.split(' ') as [string, string]
  const url =
    baseUrl + path.replace(/:(\w+)/g, (_, n) => encodeURIComponent(params[n])) + '?' + new URLSearchParams(query)
  const answer = await fetch(url, {
    method,
    signal,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  const json = await answer.json()
  if (!answer.ok) throw Object.assign(new Error(json.message), { status: answer.status, ...json })
  return json
}
export const hall = { call }
export async function settle(promise: Promise<any>): Promise<any> {
  try {
    return { ok: true, value: await promise }
  } catch (error) {
    return { ok: false, error }
  }
}
