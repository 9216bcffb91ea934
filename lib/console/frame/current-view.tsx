import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { scrollPage } from '../page-scroll.ts'
import { Busy, Button, EmptyPage } from '../parts/basics.tsx'
import { route, type ViewProps } from '../route.ts'
import { isAdmin, openSignIn, user, viewEpoch } from '../session.ts'
import { findView, type View } from '../views.ts'

/** The components of the views that were opened; null for a view that could not be loaded. */
const components = signal<ReadonlyMap<View, ComponentType<ViewProps> | null>>(new Map())

function useComponent(view: View | undefined) {
  useEffect(() => {
    if (view === undefined || components.peek().get(view)) return
    void Promise.resolve(view.load())
      .catch(() => null)
      .then((component) => {
        components.value = new Map(components.peek()).set(view, component)
      })
  }, [view])
  return view && components.value.get(view)
}

/** Draws the view of the current address. A view that is open stays when its session ends. */
export function CurrentView() {
  const found = findView(route.value)
  const Component = useComponent(found?.view)
  const key = `${viewEpoch.value} ${found?.view.pattern} ${Object.values(found?.params ?? {}).join(' ')}`
  const granted = useRef<string | undefined>(undefined)
  const lastKey = useRef(key)

  // The focus makes screen readers announce the new view. They announce the first load of the page themselves.
  // A later effect could take the focus from a menu or field that was opened meanwhile.
  useLayoutEffect(() => {
    if (lastKey.current === key) return
    lastKey.current = key
    scrollPage(0)
    document.getElementById('main')?.focus({ preventScroll: true })
  }, [key])

  if (found === undefined) {
    return (
      <EmptyPage title="Not found" text="The link may be old or mistyped.">
        <a href="#/discussions">Find a discussion</a>
      </EmptyPage>
    )
  }

  const { audience, name = '' } = found.view
  const isAllowed =
    audience === 'everybody' || (audience === 'users' ? user.value !== null : isAdmin.value) || granted.current === key
  if (audience !== 'everybody' && user.value === undefined) return <Busy />
  if (!isAllowed) {
    return user.value ? (
      <EmptyPage title={name} text="This view is for admins." />
    ) : (
      <EmptyPage title={name} text="Sign in to see this view.">
        <Button class="primary" onClick={openSignIn} text="Go on with an account" />
      </EmptyPage>
    )
  }
  if (Component === null) {
    return (
      <EmptyPage
        title="This view could not be loaded"
        text="The service may have been updated, or the connection was lost."
      >
        <Button onClick={() => location.reload()} text="Load the page again" />
      </EmptyPage>
    )
  }
  if (Component === undefined) return <Busy />
  granted.current = key
  return <Component key={`${viewEpoch.value} ${found.view.pattern}`} {...found.params} />
}
