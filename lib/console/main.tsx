import './style/index.css'
import { render } from 'preact'
import { keepFocus } from './keep-focus.ts'
import { App } from './parts/app.tsx'

render(<App />, document.body)
keepFocus()
