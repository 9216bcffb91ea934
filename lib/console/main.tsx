import './style/index.css'
import { render } from 'preact'
import { App } from './parts/app.tsx'

render(<App />, document.body)
