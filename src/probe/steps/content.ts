import { address, mark, ref, type Step, text } from '../call.ts'
import { type Operation, stepsOf } from '../operations.ts'
import { accepted, last, status } from '../verdict.ts'

const page: Operation = {
  key: 'page',
  path: '/v3/content/pages',
  body: {
    channel_id: 1,
    name: mark('page'),
    type: 'page',
    is_visible: false,
    body: '<p>Body</p>',
    url: address('page'),
    meta_description: 'Description',
    search_keywords: 'word',
  },
  again: { documented: last(status(422)), seen: last(status(409)) },
  required: ['type'],
  nullable: ['meta_keywords', 'meta_title', 'meta_description', 'search_keywords', 'email', 'contact_fields', 'feed'],
  texts: ['meta_keywords', 'meta_title', 'search_keywords'],
  one: { path: '/v3/content/pages/{page}', body: { meta_description: 'Other' } },
}

const post: Operation = {
  key: 'blog post',
  unknownFieldQuick: true,
  path: '/v2/blog/posts',
  body: {
    title: mark('post'),
    body: '<p>Body</p>',
    tags: ['word'],
    is_published: false,
    published_date: 'Wed, 10 Aug 2022 15:39:15 -0500',
    meta_description: 'Description',
    author: 'Robin',
    url: address('post'),
  },
  again: { documented: last(accepted), seen: last(status(409)), whole: true },
  required: ['body'],
  nullable: ['tags', 'meta_description', 'meta_keywords', 'author', 'thumbnail_path'],
  texts: ['meta_description', 'meta_keywords', 'author', 'thumbnail_path'],
  one: { path: '/v2/blog/posts/{blog post}', body: { title: mark('post'), body: '<p>Other</p>' } },
}

const banner: Operation = {
  key: 'banner',
  path: '/v2/banners',
  body: {
    name: mark('banner'),
    content: '<p>Banner</p>',
    page: 'search_page',
    location: 'top',
    date_type: 'always',
    visible: '0',
  },
  again: { documented: last(accepted), seen: last(status(409)), whole: true },
  required: ['content', 'page'],
  nullable: ['item_id', 'date_from', 'date_to'],
  one: {
    path: '/v2/banners/{banner}',
    body: { name: mark('banner'), content: '<p>Other</p>', page: 'search_page', location: 'top', date_type: 'always' },
  },
}

const script: Operation = {
  key: 'script',
  path: '/v3/content/scripts',
  body: {
    name: mark('script'),
    description: 'Description',
    kind: 'script_tag',
    html: '<script>0</script>',
    location: 'footer',
    visibility: 'order_confirmation',
    consent_category: 'essential',
    enabled: false,
    channel_id: 1,
  },
  id: 'uuid',
  again: { documented: last(accepted), seen: last(status(409, 422)), whole: true },
  required: ['html'],
  nullable: ['description', 'src', 'load_method'],
  texts: ['description', 'src'],
  one: { path: '/v3/content/scripts/{script}', body: { description: 'Other' } },
}

const template: Operation = {
  key: 'widget template',
  path: '/v3/content/widget-templates',
  body: { name: mark('template'), template: '<b>{{time}}</b>', schema: [], channel_id: 1 },
  id: 'uuid',
  again: { documented: last(accepted), seen: last(status(409, 422)), whole: true },
  required: ['template'],
  nullable: ['schema', 'storefront_api_query'],
  one: { path: '/v3/content/widget-templates/{widget template}', body: { name: mark('template-two') } },
}

const widget: Operation = {
  key: 'widget',
  whole: true,
  path: '/v3/content/widgets',
  body: {
    name: mark('widget'),
    description: 'Description',
    widget_template_uuid: ref('widget template'),
    widget_configuration: { time: 12 },
    channel_id: 1,
  },
  id: 'uuid',
  again: { documented: last(accepted), seen: last(status(409, 422)), whole: true },
  required: ['widget_template_uuid'],
  nullable: ['description', 'widget_configuration'],
  one: { path: '/v3/content/widgets/{widget}', body: { widget_configuration: { time: 9 } } },
}

const placement: Operation = {
  key: 'placement',
  whole: true,
  path: '/v3/content/placements',
  body: {
    widget_uuid: ref('widget'),
    template_file: 'pages/product',
    entity_id: text('product'),
    region: 'product_below_price',
    status: 'inactive',
    channel_id: 1,
  },
  id: 'uuid',
  again: { documented: last(accepted), whole: true },
  nullable: ['region'],
  one: { path: '/v3/content/placements/{placement}', body: { sort_order: 2 } },
}

const redirect: Operation = {
  key: 'redirect',
  method: 'PUT',
  path: '/v3/storefront/redirects',
  batch: true,
  body: { site_id: ref('site'), from_path: address('from'), to: { type: 'url', url: '/' } },
  again: { documented: last(accepted), whole: true },
  required: ['to'],
}

/** A page of widgets can only be written as a whole, so only that of the probe's own product is written. */
const widgetsOf = (node: object) => ({
  channel_id: 1,
  template_file: 'pages/product',
  entity_id: text('product'),
  regions: [{ name: 'product_below_price', children: [node] }],
})
const node = {
  type: 'widget',
  name: mark('node'),
  widget_template_uuid: ref('widget template'),
  configuration: { time: 12 },
}
const pageOfWidgets = {
  method: 'GET' as const,
  path: '/v3/content/page-widgets',
  query: { channel_id: 1, template_file: 'pages/product', entity_id: ref('product') },
  finds: { 'page of widgets': 'regions' },
}
const write = (body: unknown) => ({ method: 'POST' as const, path: '/v3/content/page-widgets', body })

const others: Step[] = [
  {
    key: 'page widgets: change',
    question: 'What does a page of widgets answer?',
    calls: [write(widgetsOf(node))],
    documented: last(accepted),
    quick: true,
  },
  {
    key: 'page widgets: sent back',
    question: 'Is a page of widgets accepted as it was read?',
    calls: [
      pageOfWidgets,
      write({
        channel_id: 1,
        template_file: 'pages/product',
        entity_id: text('product'),
        regions: ref('page of widgets'),
      }),
    ],
    documented: last(accepted),
    quick: true,
  },
  {
    key: 'page widgets: template of another store',
    question: 'What does a widget of a template that does not exist answer?',
    calls: [write(widgetsOf({ ...node, widget_template_uuid: 2_000_000_123 }))],
    documented: last(status(422)),
    seen: last(accepted),
    quick: true,
  },
  {
    key: 'page widgets: layout without a template',
    question: 'Does a layout need a template?',
    calls: [
      write(
        widgetsOf({
          type: 'layout',
          name: mark('layout'),
          configuration: {},
          dropzones: [{ configuration: {}, widgets: [node] }],
        }),
      ),
    ],
    documented: last(accepted),
    seen: last(status(422)),
    quick: true,
  },
  {
    key: 'page: name taken',
    needs: ['page'],
    question: 'How is a taken name of a page refused?',
    calls: [{ method: 'POST', path: '/v3/content/pages', body: { channel_id: 1, name: mark('page'), type: 'page' } }],
    documented: last(status(422)),
    seen: last(status(409)),
    quick: true,
  },
  {
    key: 'custom template association: change',
    question: 'What does a template file of a product answer that the theme does not have?',
    calls: [
      {
        method: 'PUT',
        path: '/v3/storefront/custom-template-associations',
        body: [
          { channel_id: 1, entity_type: 'product', entity_id: ref('product'), file_name: 'sfprobe-template.html' },
        ],
      },
    ],
    documented: last(accepted),
    quick: true,
  },
]

export const contentSteps: Step[] = [
  {
    key: 'sites: list',
    question: 'What does the list of sites show?',
    calls: [{ method: 'GET', path: '/v3/sites', finds: { site: '0.id' } }],
    documented: last(status(200)),
    quick: true,
  },
  ...[page, post, banner, script, template, widget, placement, redirect].flatMap(stepsOf),
  ...others,
]
