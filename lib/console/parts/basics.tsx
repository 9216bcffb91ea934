import { computed, effect, signal } from '@preact/signals'
import type { ComponentChildren, ComponentProps } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { adviseOn, describeError } from '../describe-error.ts'
import { formatAge, formatExactTime } from '../format.ts'
import { linkTo } from '../route.ts'
import { isAdmin } from '../session.ts'

/** Appears after a moment, because a quick answer needs no spinner. */
export const Busy = ({ label = 'Loading …' }: { label?: string }) => (
  <p class="row muted busy" aria-busy="true">
    <span class="spinner" aria-hidden="true" />
    {label}
  </p>
)

type Attributes = Omit<ComponentProps<'button'>, 'children' | 'ref' | 'icon' | 'label'>

export const Button = ({ text, ...rest }: Attributes & { text: string }) => (
  <button type="button" {...rest}>
    {text}
  </button>
)

export const IconButton = ({ icon, label, ...rest }: Attributes & { icon: IconName; label: string }) => (
  <button type="button" class="quiet icon-only" aria-label={label} {...rest}>
    <Icon name={icon} />
  </button>
)

/** Screen readers skip the cover, because the name stands beside it. */
export function Cover({ src, name }: { src: string | null | undefined; name: string }) {
  const [broken, setBroken] = useState<string>()
  return src && src !== broken ? (
    <img class="cover" src={src} alt="" loading="lazy" referrerpolicy="no-referrer" onError={() => setBroken(src)} />
  ) : (
    <span class="cover initial" aria-hidden="true">
      {[...name][0]}
    </span>
  )
}

export const Badge = ({ name, look = '' }: { name: string; look?: string }) => (
  <span class={`badge ${look}`}>{name}</span>
)

export const Empty = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="empty stack tight">
    <strong>{title}</strong>
    {children && <div>{children}</div>}
  </div>
)

const PATHS = {
  bold: 'M7 5h6a3.5 3.5 0 0 1 0 7H7zM7 12h7a3.5 3.5 0 0 1 0 7H7z',
  italic: 'M10 5h8M6 19h8M14 5l-4 14',
  link: 'M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-6-6l-1.5 1.5M14 10a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 6 6l1.5-1.5',
  quote: 'M5 5v14M10 8h9M10 12h9M10 16h6',
  list: 'M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01',
  code: 'M8 7l-5 5 5 5M16 7l5 5-5 5',
  heart: 'M12 20s-7.5-4.6-7.5-10A4.2 4.2 0 0 1 12 7.4 4.2 4.2 0 0 1 19.5 10c0 5.4-7.5 10-7.5 10z',
  grip: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
  close: 'M6 6l12 12M18 6L6 18',
  chevron: 'M6 9l6 6 6-6',
  bell: 'M6 17h12l-1.5-2.5V10a4.5 4.5 0 0 0-9 0v4.5zM10.5 20h3',
  chat: 'M4 5h16v11H10l-5 4v-4H4z',
} as const

export type IconName = keyof typeof PATHS

/** Draws lines in the colour of the text. The icon has no name, because the control around it has one. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
)

export const Refusal = ({ text }: { text: string | undefined }) =>
  text ? (
    <p role="alert" class="refusal">
      {text}
    </p>
  ) : null

type AlertProps = Partial<Record<'title' | 'children' | 'buttons', ComponentChildren>>

export const Alert = ({ title, children, buttons }: AlertProps) => (
  <div class="flag bad stack tight problem" role="alert">
    <p>
      <strong>{title}</strong> {children}
    </p>
    {buttons && <div class="row">{buttons}</div>}
  </div>
)

interface ProblemProps {
  error: unknown
  advice?: string | undefined
  onRetry?(): unknown
  children?: ComponentChildren
}

export const Problem = ({ error, advice = adviseOn(error), onRetry, children }: ProblemProps) => (
  <Alert title={describeError(error)} buttons={onRetry ? <Button onClick={onRetry} text="Try again" /> : children}>
    {advice}
  </Alert>
)

const lastMinute = signal(Date.now())
setInterval(() => {
  lastMinute.value = Date.now()
}, 60_000)

/** The age of a time, with the exact time on hover and focus. Within a link, the focus is the link's. */
export function Time({ at, isLinked = false }: { at: string; isLinked?: boolean }) {
  // The age is drawn again only when its words change, because a discussion shows a thousand ages.
  const words = useMemo(() => computed(() => formatAge(at, Math.max(lastMinute.value, Date.now()))), [at])
  return (
    <time dateTime={at} title={formatExactTime(at)} tabIndex={isLinked ? undefined : 0}>
      {words.value}
    </time>
  )
}

interface SectionProps {
  name: string
  class?: string
  isEmpty?: boolean
  children: ComponentChildren
}

export const Section = ({ name, class: look = '', isEmpty = false, children }: SectionProps) => (
  <section class={`stack tight ${look}`} aria-label={name}>
    <h2>{name}</h2>
    {isEmpty ? <p class="muted">None</p> : children}
  </section>
)

interface ExternalLinkProps {
  /** An address from a source or a record: only http, https and views of the console become links. */
  href: string
  class?: string
  children: ComponentChildren
}

/** Opens a link in a new tab; draws the text alone when the address is no page. */
export const ExternalLink = ({ href, children, ...rest }: ExternalLinkProps) =>
  /^(https?:\/\/|#\/)/i.test(href) ? (
    <a href={href} target="_blank" rel="noopener noreferrer" {...rest}>
      {children}
    </a>
  ) : (
    <span {...rest}>{children}</span>
  )

interface PersonNameProps {
  id: string | null | undefined
  name: string | null | undefined
  onFollow?(): void
}

export const PersonName = ({ id, name, onFollow }: PersonNameProps) =>
  isAdmin.value && id && name ? (
    <a href={linkTo('users', id)} onClick={onFollow}>
      <bdi>{name}</bdi>
    </a>
  ) : (
    <bdi>{name ?? 'deleted user'}</bdi>
  )

const viewTitle = signal('')
export const unreadCount = signal(0)

effect(() => {
  const count = unreadCount.value > 0 ? `(${unreadCount.value}) ` : ''
  const name = viewTitle.value === '' ? '' : `${viewTitle.value} · `
  document.title = `${count}${name}gamehall`
})

interface PageProps {
  title: string
  actions?: ComponentChildren
  lead?: ComponentChildren
  children: ComponentChildren
}

export function Page({ title, actions, lead, children }: PageProps) {
  useEffect(() => {
    viewTitle.value = title
  }, [title])
  return (
    <>
      <header class="row spread page-head">
        <div>
          <h1 tabIndex={-1}>{title}</h1>
          {lead && <p class="lead">{lead}</p>}
        </div>
        {actions && <div class="row">{actions}</div>}
      </header>
      {children}
    </>
  )
}

export const EmptyPage = ({ title, text, children }: { title: string; text: string; children?: ComponentChildren }) => (
  <Page title={title}>
    <Empty title={text}>{children}</Empty>
  </Page>
)
