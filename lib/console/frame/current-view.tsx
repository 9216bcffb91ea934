import type { ComponentType } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { scrollPage } from '../page-scroll.ts'
import { Busy } from '../parts/busy.tsx'
import { Button } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import type { ViewProps } from '../route.ts'
import { route } from '../route.ts'
import { askToSignIn, isAdmin, user, viewEpoch } from '../session.ts'
import { findView, type View } from '../views.ts'
import { Page } from './page.tsx'

const loaded = new Map<View, ComponentType<ViewProps>>()

/** The code of a view, loaded when it is first opened. */
function useComponent(view: View | undefined) {
  const [, redraw] = useState(0)
  const [failed, setFailed] = useState<View>()
  useEffect(() => {
    if (view === undefined || loaded.has(view)) return
    Promise.resolve(view.load()).then(
      (component) => {
        loaded.set(view, component)
        redraw((count) => count + 1)
      },
      () => setFailed(view),
    )
  }, [view])
  const Component = view && loaded.get(view)
  return { Component, hasFailed: view !== undefined && failed === view && Component === undefined }
}

const Reload = () => (
  <Page title="This view could not be loaded">
    <Empty title="The service may have been updated, or the connection is gone.">
      <Button onClick={() => location.reload()} text="Load the page again" />
    </Empty>
  </Page>
)

const MustSignIn = ({ name }: { name: string }) => (
  <Page title={name}>
    <Empty title="Sign in to see what is yours.">
      <Button class="primary" onClick={askToSignIn} text="Go on with an account" />
    </Empty>
  </Page>
)

const ForAdmins = ({ name }: { name: string }) => (
  <Page title={name}>
    <Empty title="This view is for admins." />
  </Page>
)

const NotFound = () => (
  <Page title="There is nothing at this address">
    <Empty title="The link may be old, or mistyped.">
      <a href="#/discussions">Find a discussion</a>
    </Empty>
  </Page>
)

/** Draws the view of the present address. One that was once open stays when its session ends. */
export function CurrentView() {
  const found = findView(route.value)
  const { Component, hasFailed } = useComponent(found?.view)
  const key = `${viewEpoch.value} ${found?.view.pattern} ${Object.values(found?.params ?? {}).join(' ')}`
  const granted = useRef<string | undefined>(undefined)
  const isFirst = useRef(true)

  // Readers of a screen hear where a link led; the page's own load tells by itself.
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false
      return
    }
    scrollPage(0)
    document.getElementById('main')?.focus({ preventScroll: true })
  }, [key])

  if (found === undefined) return <NotFound />

  const { audience, name = '' } = found.view
  const isAllowed =
    audience === 'everybody' || (audience === 'users' ? user.value !== null : isAdmin.value) || granted.current === key
  if (audience !== 'everybody' && user.value === undefined) return <Busy />
  if (!isAllowed) return user.value ? <ForAdmins name={name} /> : <MustSignIn name={name} />
  if (hasFailed) return <Reload />
  if (Component === undefined) return <Busy />
  granted.current = key
  return <Component key={`${viewEpoch.value} ${found.view.pattern}`} {...found.params} />
}
