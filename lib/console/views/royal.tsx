import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { ROYAL_GAMES_LIMIT as LIMIT } from '../../contract/limits.ts'
import type { RoyalAck } from '../../contract/namespaces/royal.ts'
import { GameSearch } from '../fields/combobox.tsx'
import { Form, type Outcome, TextField } from '../fields/field.tsx'
import { useDrag } from '../hooks/use-drag.ts'
import { addGame, type FoundGame, gamesById, useGames } from '../names.ts'
import { announce, notify, notifyError } from '../notices.ts'
import { undo } from '../outbox/outbox.ts'
import { Busy, Button, Cover, Empty, Icon, IconButton, Page } from '../parts/basics.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { describeGame } from '../parts/game-row.tsx'
import { useConnection } from '../parts/query.tsx'
import { linkTo } from '../route.ts'
import { holdRemoval, sendBeforeChange, toRemovalKey, useRoyal } from '../royal/use-royal.ts'

interface MoveDialogProps {
  name: string
  /** The present place, counted from 1. */
  position: number
  count: number
  onMove(place: number): void
  onClose(): void
}

function MoveDialog({ name, position, count, onMove, onClose }: MoveDialogProps) {
  async function send(values: { place?: string }): Promise<Outcome> {
    const place = Number(values.place)
    if (!Number.isInteger(place) || place < 1 || place > count)
      return { ok: false, error: new Error(`Name a place from 1 to ${count}`) }
    if (place !== position) onMove(place)
    return { ok: true }
  }
  const hint = `From 1 to ${count}; it is number ${position} now`
  return (
    <Dialog title={`Move ${name}`} onClose={onClose}>
      <Form action="Move" send={send} onSent={onClose}>
        <TextField label="Place" name="place" hint={hint} type="number" defaultValue={String(position)} />
      </Form>
    </Dialog>
  )
}

const nameGame = (id: string, games: ReadonlyMap<string, FoundGame | null>) => {
  const game = games.get(id)
  return game === undefined ? '…' : (game?.name ?? 'A game that left the catalogue')
}

export function RoyalView() {
  const { live, state } = useRoyal()
  const { status, games: ids, isLive } = state
  useConnection('/royal')
  const games = useGames(ids)
  const list = useRef<HTMLUListElement>(null)
  const toFocus = useRef<string | undefined>(undefined)
  const [moved, setMoved] = useState<string>()
  const count = ids.length

  // An element that is moved in the document loses the focus.
  useLayoutEffect(() => {
    const id = toFocus.current
    if (id === undefined) return
    const item = list.current?.querySelector<HTMLElement>(`[data-id="${id}"]`)
    if (item && document.activeElement !== item) item.focus()
  })

  /** Shows a refusal and names rejected games. */
  async function report(change: Promise<RoyalAck>, rejection: string): Promise<void> {
    const ack = await change
    if (!ack.ok) return void notifyError(new Error(ack.error))
    if (ack.rejected.length === 0) return
    const names = ack.rejected.map((id) => nameGame(id, gamesById.value)).join(', ')
    notifyError(new Error(`${rejection}: ${names}`))
  }

  function move(id: string, before: string | null) {
    const rest = ids.filter((other) => other !== id)
    const position = before === null ? count : rest.indexOf(before) + 1
    announce(`${nameGame(id, games)}, position ${position} of ${count}`)
    sendBeforeChange(live)
    void report(live.move(id, before), 'Not moved, since it is not in the list')
  }

  const moveTo = (id: string, index: number) => move(id, ids.filter((other) => other !== id)[index] ?? null)

  function onKeyDown(event: KeyboardEvent, id: string, index: number) {
    if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const targets: Record<string, number> = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: Infinity }
    const target = targets[event.key]
    if (target === undefined) return
    event.preventDefault()
    const next = Math.min(Math.max(target, 0), count - 1)
    if (next === index) return
    toFocus.current = id
    moveTo(id, next)
  }

  function remove(id: string, index: number) {
    toFocus.current = ids[index + 1] ?? ids[index - 1]
    holdRemoval(id, nameGame(id, games))
  }

  const { dragged, before, grab } = useDrag({
    list,
    onDrop(id, before) {
      toFocus.current = id
      move(id, before)
    },
  })
  const lastId = ids.findLast((id) => id !== dragged)
  const findDropMark = (id: string) => {
    if (dragged === undefined || before === undefined) return undefined
    if (before === id) return 'before'
    return before === null && id === lastId ? 'after' : undefined
  }

  return (
    <Page
      title="Royal games"
      lead="Your games for the royal mode of the wheel, best first. All your tabs stay in step."
    >
      <div class="split royal">
        <div class="stack royal-head">
          <GameSearch
            label="Add a game"
            disabled={!isLive}
            onChoose={(game) => {
              addGame(game)
              toFocus.current = undefined
              if (undo(toRemovalKey(game._id))) return
              if (ids.includes(game._id)) return notify(`${game.name} is listed already`)
              announce(`${game.name} is added, position ${count + 1} of ${count + 1}`)
              sendBeforeChange(live)
              void report(live.add([game._id]), count >= LIMIT ? 'The list is full, so this did not fit' : 'Not added')
            }}
          />
          <p class="muted">
            {count} of {LIMIT}
          </p>
          <p class="hint" id="royal-keys">
            Drag by the handle, or move the focused game with Alt and the arrows, Home or End.
          </p>
        </div>
        <div>
          {status === 'loading' && <Busy />}
          {status === 'ready' && count === 0 && <Empty title="No royal games yet.">Add the first by its name.</Empty>}
          <ul
            class="stack tight royal-list"
            aria-label="Royal games"
            ref={list}
            onFocusOut={() => {
              toFocus.current = undefined
            }}
          >
            {ids.map((id, index) => {
              const game = games.get(id)
              const name = nameGame(id, games)
              return (
                <li
                  key={id}
                  data-id={id}
                  data-drop={findDropMark(id)}
                  class={`panel row nowrap royal-item ${id === dragged ? 'dragged' : ''}`}
                  // biome-ignore lint/a11y/noNoninteractiveTabindex: the focused item is what the keys move.
                  tabIndex={0}
                  aria-describedby="royal-keys"
                  onKeyDown={(event) => onKeyDown(event, id, index)}
                >
                  <span class="handle" aria-hidden="true" onPointerDown={(event) => grab(event, id)}>
                    <Icon name="grip" />
                  </span>
                  <span class="muted position">{index + 1}</span>
                  <Cover src={game?.cover} name={name} />
                  <span class="fill royal-name">
                    {game ? (
                      <a class="game-name" href={linkTo('games', game.slug)}>
                        {name}
                      </a>
                    ) : (
                      name
                    )}
                    {game && <span class="facts"> {describeGame(game)}</span>}
                  </span>
                  <Button class="quiet small" aria-label={`Move ${name}`} onClick={() => setMoved(id)} text="Move" />
                  <IconButton icon="close" label={`Remove ${name}`} onClick={() => remove(id, index)} />
                </li>
              )
            })}
          </ul>
        </div>
      </div>
      {moved !== undefined && (
        <MoveDialog
          name={nameGame(moved, games)}
          position={ids.indexOf(moved) + 1}
          count={count}
          onMove={(place) => moveTo(moved, place - 1)}
          onClose={() => setMoved(undefined)}
        />
      )}
    </Page>
  )
}
