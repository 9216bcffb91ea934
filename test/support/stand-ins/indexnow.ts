import { type StandInAnswer, type StandInRequest, startStandInServer } from './stand-in-server.ts'

interface Announcement {
  host: string
  key: string
  keyLocation: string
  urlList: string[]
}

interface IndexNowStandInOptions {
  /** The text at `keyLocation`. */
  readKeyFile: (keyLocation: string) => Promise<string>
}

const KEY = /^[a-zA-Z0-9-]{8,128}$/
const isText = (value: unknown): value is string => typeof value === 'string'

function readAnnouncement({ headers, body }: StandInRequest): Announcement | undefined {
  if (headers['content-type'] !== 'application/json; charset=utf-8' || !body.startsWith('{')) return undefined
  const { host, key, keyLocation, urlList } = JSON.parse(body)
  if (!isText(host) || !isText(key) || !isText(keyLocation)) return undefined
  return Array.isArray(urlList) && urlList.length > 0 && urlList.length <= 10_000 && urlList.every(isText)
    ? { host, key, keyLocation, urlList }
    : undefined
}

export type IndexNowStandIn = Awaited<ReturnType<typeof startIndexNowStandIn>>

/** An engine of IndexNow: it fetches the key file before it takes anything. */
export async function startIndexNowStandIn({ readKeyFile }: IndexNowStandInOptions) {
  const announced: Announcement[] = []

  async function answer(request: StandInRequest): Promise<StandInAnswer> {
    if (request.method !== 'POST') return { status: 405 }
    const announcement = readAnnouncement(request)
    if (announcement === undefined) return { status: 400 }
    announced.push(announcement)

    const { host, key, keyLocation, urlList } = announcement
    const isForeign = [keyLocation, ...urlList].some((url) => new URL(url).host !== host)
    if (isForeign || !KEY.test(key)) return { status: 422 }
    if ((await readKeyFile(keyLocation)) !== key)
      return { status: 403, body: { errorCode: 'UserForbiddedToAccessSite' } }
    return { status: 200 }
  }

  return Object.assign(await startStandInServer(answer), {
    /** Announced addresses, whatever the answer was. */
    announced,
  })
}
