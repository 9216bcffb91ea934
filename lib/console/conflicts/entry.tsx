import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { ConflictItem } from '../../contract/conflicts.ts'
import { formatPartialDate } from '../format.ts'
import { Button, Cover, ExternalLink } from '../parts/basics.tsx'
import { SOURCE_NAMES } from './conflict-words.ts'
import { type ComparedRow, type Comparison, compareFacts, type Facts } from './facts.ts'

interface FactRowsProps {
  facts: Facts
  against?: Facts | undefined
  /** True when any side has a play time, so that all sides have the same rows. */
  hasPlayTime: boolean
}

const SHOWN_MAX = 8

interface NamesProps {
  values: readonly string[]
  isShared: ((value: string) => boolean) | undefined
}

function Names({ values, isShared }: NamesProps) {
  const shown = values.slice(0, SHOWN_MAX)
  return (
    <>
      {shown.map((value, index) => (
        <span key={value} class={isShared === undefined || isShared(value) ? undefined : 'only-here'}>
          {value}
          {index < shown.length - 1 && ', '}
        </span>
      ))}
      {values.length > SHOWN_MAX && ` and ${values.length - SHOWN_MAX} more`}
    </>
  )
}

interface RowProps {
  name: string
  comparison?: Comparison | undefined
  children: ComponentChildren
}

const LOOKS = { same: '', near: 'warn', differs: 'bad', unknown: '' } as const

const Row = ({ name, comparison, children }: RowProps) => (
  <span class={`fact ${LOOKS[comparison?.verdict ?? 'unknown']}`} data-verdict={comparison?.verdict}>
    <span class="facts fact-name">{name} </span>
    <span class="fact-value">
      {children || <span class="facts">unknown</span>}
      {comparison && comparison.words !== '' && (
        <>
          {' '}
          <span class="fact-verdict">{comparison.words}</span>
        </>
      )}
    </span>
  </span>
)

/** The rows in which an entry and its options are compared: equal values quiet, differences in words. */
export function FactRows({ facts, against, hasPlayTime }: FactRowsProps) {
  const compared: Partial<Record<ComparedRow, Comparison>> = against === undefined ? {} : compareFacts(against, facts)
  const drawList = (key: 'otherNames' | 'companies' | 'platforms') =>
    facts[key].length > 0 && <Names values={facts[key]} isShared={compared[key]?.isShared} />
  const rows: readonly { name: string; key?: ComparedRow; value: ComponentChildren }[] = [
    { name: 'Title', key: 'title', value: <strong>{facts.title}</strong> },
    { name: 'Other names', key: 'otherNames', value: drawList('otherNames') },
    { name: 'Released', key: 'released', value: facts.released && formatPartialDate(facts.released) },
    { name: 'Companies', key: 'companies', value: drawList('companies') },
    { name: 'Platforms', key: 'platforms', value: drawList('platforms') },
    { name: 'Type', value: facts.type },
    ...(hasPlayTime ? [{ name: 'Play time', value: facts.playTime }] : []),
    {
      name: 'Text',
      key: 'text',
      value: facts.text && <span class={against && 'fact-text clamped'}>{facts.text}</span>,
    },
  ]
  return (
    <span class="stack tight fact-rows">
      {rows.map(({ name, key, value }) => (
        <Row key={name} name={name} comparison={key && compared[key]}>
          {value}
        </Row>
      ))}
    </span>
  )
}

function SubjectCover({ subject, name }: Pick<ConflictItem, 'subject'> & { name: string }) {
  const [isShown, setShown] = useState(false)
  if (subject?.cover && subject.isExplicitCover && !isShown) {
    return <Button class="small" onClick={() => setShown(true)} text="Show explicit cover" />
  }
  return <Cover src={subject?.cover} name={name} />
}

interface EntryProps extends Pick<FactRowsProps, 'hasPlayTime'> {
  item: ConflictItem
  facts: Facts | undefined
}

export function Entry({ item: { subject, source, externalId, direction }, facts, hasPlayTime }: EntryProps) {
  const isOfEntries = direction === 'entries'
  return (
    <section class="entry panel stack tight" aria-label="Entry">
      <div class="row nowrap entry-head">
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
        <p class="muted">This conflict has only the id of the entry. The source may have removed the entry.</p>
      )}
    </section>
  )
}
