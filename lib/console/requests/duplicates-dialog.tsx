import type { RequestKind } from '../../contract/requests.ts'
import { formatPoints } from '../format.ts'
import { useGames } from '../names.ts'
import { Button, Cover } from '../parts/basics.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { describeGame } from '../parts/game-row.tsx'
import type { Duplicates } from './approvals.ts'

interface DuplicatesDialogProps {
  kind: RequestKind
  duplicates: Duplicates
  onClose(): void
  onSame(name: string): void
  onCreate(): void
}

export function DuplicatesDialog({ kind, duplicates, onClose, onSame, onCreate }: DuplicatesDialogProps) {
  const games = useGames(kind === 'game' ? duplicates.map(({ _id }) => _id) : [])

  return (
    <Dialog title="Possible duplicates" onClose={onClose}>
      <p>This {kind} may be in the catalogue already. Nothing has been written.</p>
      <ul class="stack tight" aria-label="Possible duplicates">
        {duplicates.map(({ _id, name, slug, score }) => {
          const game = games.get(_id)
          return (
            <li key={_id} class="row nowrap">
              <Cover src={game?.cover} name={name} />
              <span class="fill">
                {kind === 'game' ? (
                  <a href={`#/games/${slug}`} target="_blank" rel="noopener">
                    {name}
                  </a>
                ) : (
                  name
                )}
                <span class="facts">
                  {kind === 'game' ? `${game ? `${describeGame(game)}, ` : ''}${formatPoints(score)}` : 'the same name'}
                </span>
              </span>
              <Button
                class="small"
                aria-label={`It is this one: ${name}`}
                onClick={() => onSame(name)}
                text="It is this one"
              />
            </li>
          )
        })}
      </ul>
      <p class="hint">“It is this one” writes the reason of a rejection, which you can still change.</p>
      <div class="row">
        <Button class="danger" onClick={onCreate} text="Create anyway" />
        <Button onClick={onClose} text="Cancel" />
      </div>
    </Dialog>
  )
}
