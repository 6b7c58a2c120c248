import { useEffect, useRef, useState } from 'react'
import type UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

const usualWidth = 152
const height = 28

/** If Intl does not support the browser's language (such as `en-US@posix`), uPlot fails to load and there is no sparkline. */
const loadPlot = (): Promise<typeof UPlot | undefined> =>
  import('uplot').then(
    (library) => library.default,
    () => undefined,
  )

interface SparklineProps {
  points: readonly number[]
  failing: boolean
  label: string
  width?: number | 'full'
}

/** Draws a small chart from zero to the highest point. Decorative, because the numbers next to it show the exact values. */
export function Sparkline({ points, failing, label, width = usualWidth }: SparklineProps) {
  const host = useRef<HTMLDivElement>(null)
  const [plotted, setPlotted] = useState<{ Plot: typeof UPlot }>()
  useEffect(() => {
    void loadPlot().then((Plot) => Plot && setPlotted({ Plot }))
  }, [])
  useEffect(() => {
    const element = host.current
    if (!element || !plotted) return undefined
    const style = getComputedStyle(element)
    // Read the color on every draw, so that a theme change only needs a redraw.
    const color = (name: string) => () => style.getPropertyValue(name).trim()
    const plot = new plotted.Plot(
      {
        width: element.clientWidth,
        height,
        padding: [2, 0, 2, 0],
        cursor: { show: false },
        legend: { show: false },
        axes: [{ show: false }, { show: false }],
        scales: { x: { time: false }, y: { range: (_plot, _min, max) => [0, Math.max(1, max)] } },
        series: [
          {},
          {
            stroke: color(failing ? '--lw-danger' : '--lw-accent'),
            fill: color(failing ? '--lw-danger-soft' : '--lw-accent-soft'),
            width: 1.5,
            points: { show: false },
          },
        ],
      },
      [points.map((_, index) => index), [...points]],
      element,
    )
    const fit = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    fit.observe(element)
    const repaint = new MutationObserver(() => plot.redraw())
    repaint.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => {
      fit.disconnect()
      repaint.disconnect()
      plot.destroy()
    }
  }, [plotted, points, failing])
  return (
    <div
      ref={host}
      role="img"
      aria-label={label}
      className="h-7"
      style={{ width: width === 'full' ? '100%' : width }}
    />
  )
}
