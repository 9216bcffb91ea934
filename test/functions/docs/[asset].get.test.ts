import { expect, test } from 'vitest'
import { useService } from '../../support/service/start-service.ts'

const service = await useService()

test.each(['swagger-ui.css', 'package.json', '..%2F..%2Fpackage.json', 'swagger-ui.css%00', '%zz'])(
  '404 for %s: nothing is looked up in a folder',
  async (name) => {
    expect((await service.guest.get(`/docs/${name}`)).status).toBe(404)
  },
)
