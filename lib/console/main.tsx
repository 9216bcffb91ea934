import './style/index.css'
import { render } from 'preact'
import { beginDrafts } from './drafts.ts'
import { App } from './frame/app.tsx'
import { leaveKeysToInputMethod } from './input-method.ts'
import { keepFocus } from './keep-focus.ts'

void beginDrafts().then(() => {
  render(<App />, document.body)
  keepFocus()
  leaveKeysToInputMethod()
})
