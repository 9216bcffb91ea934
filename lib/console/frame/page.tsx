import { effect, signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { Empty } from '../parts/basics.tsx'

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
