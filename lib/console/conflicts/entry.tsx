import { useState } from 'preact/hooks'
import type { ConflictItem } from '../../contract/conflicts.ts'
import { Button } from '../parts/button.tsx'
import { Cover } from '../parts/cover.tsx'
import { ExternalLink } from '../parts/external-link.tsx'
import { SOURCE_NAMES } from './conflict-words.ts'
import { FactRows } from './fact-rows.tsx'
import type { Facts } from './facts.ts'

function SubjectCover({ subject, name }: { subject: ConflictItem['subject']; name: string }) {
  const [isShown, setShown] = useState(false)
  if (subject?.cover && subject.isExplicitCover && !isShown) {
    return <Button class="small" onClick={() => setShown(true)} text="Show explicit cover" />
  }
  return <Cover src={subject?.cover} name={name} />
}

interface EntryProps {
  item: ConflictItem
  facts: Facts | undefined
  hasPlayTime: boolean
}

/** The facts of the entry, or of the game that an entry is wanted for. */
export function Entry({ item: { subject, source, externalId, direction }, facts, hasPlayTime }: EntryProps) {
  const isOfEntries = direction === 'entries'
  return (
    <section class="entry panel stack tight" aria-label="Entry">
      <div class="row entry-head">
        <SubjectCover subject={subject} name={subject?.name ?? externalId} />
        <div>
          <p class="facts">{isOfEntries ? 'Game of the catalogue' : `${SOURCE_NAMES[source]} ${externalId}`}</p>
          {subject?.url && (
            <ExternalLink href={subject.url}>
              {isOfEntries ? 'Open its page' : `Open at ${SOURCE_NAMES[source]}`}
            </ExternalLink>
          )}
        </div>
      </div>
      {facts ? (
        <FactRows facts={facts} hasPlayTime={hasPlayTime} />
      ) : (
        <p class="muted">Nothing is known of this entry but its id. Its source may have removed it.</p>
      )}
    </section>
  )
}
