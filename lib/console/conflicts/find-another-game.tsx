import { useState } from 'preact/hooks'
import type { ConflictItem } from '../../contract/conflicts.ts'
import { TextField } from '../fields/field.tsx'
import { SEARCH_MIN_LENGTH, useDebounced, useGameSearch } from '../hooks/use-search.ts'
import { notify } from '../notices.ts'
import { Busy, Button } from '../parts/basics.tsx'
import { GameRow } from '../parts/game-row.tsx'
import { attempt, hall } from '../session.ts'

interface FindAnotherGameProps {
  item: ConflictItem
  disabled: boolean
  onAdded(gameId: string): void
}

const TAKE = 8

export function FindAnotherGame({ item, disabled, onAdded }: FindAnotherGameProps) {
  const [text, setText] = useState('')
  const [adding, setAdding] = useState<string>()
  const wanted = useDebounced(text.trim())
  const { found, failure } = useGameSearch(wanted, TAKE)

  async function add(gameId: string, name: string) {
    setAdding(gameId)
    const { source, externalId } = item
    const isAdded = await attempt(
      hall.call('POST /conflicts/:source/:externalId/candidates', { params: { source, externalId }, body: { gameId } }),
    )
    setAdding(undefined)
    if (!isAdded) return
    notify(`${name} is a candidate now`)
    setText('')
    onAdded(gameId)
  }

  return (
    <div class="find-another">
      <TextField
        label="Find another game"
        type="search"
        placeholder="Type a name"
        disabled={disabled}
        value={text}
        onInput={setText}
      />
      {wanted.length >= SEARCH_MIN_LENGTH && (
        <div class="found popover">
          {failure && <p class="refusal">{failure}</p>}
          {found === undefined && !failure && <Busy label="Searching …" />}
          {found?.total === 0 && <p class="muted">No game is called “{wanted}”.</p>}
          {found !== undefined && found.total > 0 && (
            <ul class="stack tight" aria-label="Games found">
              {found.results.map((game) => {
                const isListed = item.candidates.some((candidate) => candidate.gameId === game._id)
                return (
                  <li key={game._id} class="row spread">
                    <GameRow game={game} />
                    <Button
                      class="small"
                      aria-label={`${isListed ? 'Candidate' : 'Add'} ${game.name}`}
                      disabled={disabled || isListed || adding !== undefined}
                      onClick={() => add(game._id, game.name)}
                      text={isListed ? 'Candidate' : 'Add'}
                    />
                  </li>
                )
              })}
            </ul>
          )}
        </div>
      )}
    </div>
  )
}
