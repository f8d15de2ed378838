/* blt_html.c - a page with the matrix and the graphs of its loops.
 *
 * The loops go into the page as JSON; a script draws them, unknowns to the left
 * and equations to the right, and peels them.
 */
/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "base/json.h"
#include "base/markup.h"
#include "report/blt.h"
#include "report/blt_internal.h"

enum { MOST_LOOPS = 20, MOST_NODES = 400 };

static const char head[] =
    "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'>"
    "<style>body{font:14px system-ui,sans-serif;margin:1.5em;color:#222}"
    "#box{overflow:auto;max-height:85vh;border:1px solid #ccc}"
    "button{margin:0 .4em .4em 0}"
    ".k span{display:inline-block;padding:0 .5em;margin-right:1em}"
    ".graph text{font:12px ui-monospace,monospace}"
    ".graph line{stroke:#888;stroke-width:1.5;cursor:pointer}"
    ".graph line:hover{stroke:#d00;stroke-width:3}"
    ".graph .cut{stroke:#d00;stroke-dasharray:3 4;opacity:.5}"
    ".graph .gone{opacity:.15}</style>";

static const char script[] =
    "<script>\n"
    "const NS='http://www.w3.org/2000/svg';\n"
    "function el(name,at,text){const e=document.createElementNS(NS,name);\n"
    " for(const k in at)e.setAttribute(k,at[k]);\n"
    " if(text!==undefined)e.textContent=text;return e}\n"
    "/* Proposition 1: an equation with one unknown left defines it. */\n"
    "function peel(g){const n=new Map();\n"
    " g.edges.forEach((e,i)=>{if(g.cut.has(i)||g.goneV.has(e[1])||\n"
    "  g.goneE.has(e[0]))return;\n"
    "  if(!n.has(e[0]))n.set(e[0],[]);n.get(e[0]).push(e[1])});\n"
    " let found=0;\n"
    " for(const [q,list] of n)if(list.length===1&&!g.goneV.has(list[0])){\n"
    "  g.goneE.add(q);g.goneV.add(list[0]);g.said.push(\n"
    "   g.eqn[q].name+' gives '+g.vars[list[0]].name);found++}\n"
    " return found}\n"
    "function draw(g){const h=26,w=620,rows=Math.max(g.vars.length,\n"
    "  g.eqn.length);\n"
    " g.svg.replaceChildren();g.svg.setAttribute('width',w+700);\n"
    " g.svg.setAttribute('height',rows*h+20);\n"
    " const y=i=>20+i*h;\n"
    " g.edges.forEach((e,i)=>{const dead=g.goneV.has(e[1])||\n"
    "   g.goneE.has(e[0]);\n"
    "  const l=el('line',{x1:220,y1:y(e[1]),x2:w,y2:y(e[0])});\n"
    "  if(g.cut.has(i))l.classList.add('cut');\n"
    "  if(dead)l.classList.add('gone');\n"
    "  const t=el('title',{},(g.cut.has(i)?'put back ':'remove ')+\n"
    "   g.vars[e[1]].name+' in '+g.eqn[e[0]].name);l.append(t);\n"
    "  l.onclick=()=>{g.cut.has(i)?g.cut.delete(i):g.cut.add(i);draw(g)};\n"
    "  g.svg.append(l)});\n"
    " g.vars.forEach((v,i)=>{const o=el('g',{});\n"
    "  if(g.goneV.has(i))o.classList.add('gone');\n"
    "  o.append(el('circle',{cx:220,cy:y(i),r:7,\n"
    "   fill:v.torn?'#ee8fb2':'#9cc3f0'}),\n"
    "   el('text',{x:206,y:y(i)+4,'text-anchor':'end'},v.name));\n"
    "  g.svg.append(o)});\n"
    " g.eqn.forEach((q,i)=>{const o=el('g',{});\n"
    "  if(g.goneE.has(i))o.classList.add('gone');\n"
    "  o.append(el('title',{},q.tip),el('rect',{x:w-6,y:y(i)-6,width:12,\n"
    "   height:12,fill:q.torn?'#ee8fb2':'#9fdc9f'}),\n"
    "   el('text',{x:w+14,y:y(i)+4},q.text));g.svg.append(o)});\n"
    " const left=g.vars.length-g.goneV.size;\n"
    " g.note.textContent=left===0?'the loop is broken: every unknown follows'\n"
    "  :left+' of '+g.vars.length+' unknowns left'+\n"
    "   (g.cut.size?', '+g.cut.size+' edges removed':'');\n"
    " g.list.textContent=g.said.join('; ')}\n"
    "function start(g){g.cut=new Set();g.goneV=new Set();g.goneE=new Set();\n"
    " g.said=[];draw(g)}\n"
    "for(const g of loops){const d=document.createElement('div');\n"
    " const title=document.createElement('h3');title.textContent=g.title;\n"
    " g.svg=el('svg',{class:'graph'});\n"
    " g.note=document.createElement('p');g.list=document.createElement('p');\n"
    " const b=(text,f)=>{const x=document.createElement('button');\n"
    "  x.textContent=text;x.onclick=()=>{f();draw(g)};return x};\n"
    " d.append(title,b('peel once',()=>peel(g)),\n"
    "  b('peel all',()=>{while(peel(g));}),\n"
    "  b('take iteration variables as known',()=>{g.vars.forEach((v,i)=>{\n"
    "   if(v.torn)g.goneV.add(i)})}),\n"
    "  b('put all back',()=>start(g)),g.note,g.svg,g.list);\n"
    " document.getElementById('loops').append(d);start(g)}\n"
    "let zoom=1;const m=document.getElementById('matrix');\n"
    "const w0=m.width.baseVal.value,h0=m.height.baseVal.value;\n"
    "function scale(f){zoom=f?zoom*f:1;m.setAttribute('width',w0*zoom);\n"
    " m.setAttribute('height',h0*zoom)}\n"
    "</script>\n";

static void put_nodes(const Order *o, int b, JsonOut *j)
{
    const Inlined *d = o->s->inlined;
    json_begin_array(j, "vars");
    for (int p = o->first[b]; p < o->first[b + 1]; p++) {
        json_begin_object(j, NULL);
        json_put_text(j, "name", d->var[o->var[p]].name);
        json_put_bool(j, "torn", o->is_torn[p]);
        json_end(j);
    }
    json_end(j);
    json_begin_array(j, "eqn");
    for (int p = o->first[b]; p < o->first[b + 1]; p++) {
        const InlinedEqn *e = &o->s->system->eqn[o->eqn[p]];
        json_begin_object(j, NULL);
        json_put_text(j, "name", inlined_eqn_name(d, e, o->arena));
        json_put_text(j, "text", inlined_eqn_text(d, e, 90, o->arena));
        json_put_text(j, "tip", blt_tip(o, p));
        json_put_bool(j, "torn", o->is_torn[p]);
        json_end(j);
    }
    json_end(j);
}

static void put_edges(const Order *o, int b, JsonOut *j)
{
    json_begin_array(j, "edges");
    for (int p = o->first[b]; p < o->first[b + 1]; p++) {
        const SchedEdges *edges = &o->s->edges;
        int i = o->eqn[p];
        for (int k = edges->start[i]; k < edges->start[i + 1]; k++) {
            int q = o->place[edges->var[k]];
            if (o->block[q] != b)
                continue;
            json_begin_array(j, NULL);
            json_put_count(j, NULL, p - o->first[b]);
            json_put_count(j, NULL, q - o->first[b]);
            json_end(j);
        }
    }
    json_end(j);
}

static void put_loops(const Order *o, FILE *out)
{
    int shown = 0;
    JsonOut j = json_start(out, JSON_COMPACT);
    fputs("<div id='loops'></div>\n<script>const loops=", out);
    json_begin_array(&j, NULL);
    for (int b = 0; b < o->s->nblock && shown < MOST_LOOPS; b++) {
        int size = o->s->block[b].size;
        if (size < 2 || size > MOST_NODES)
            continue;
        shown++;
        json_break(&j, 0);
        json_begin_object(&j, NULL);
        json_put_text(&j, "title",
                      arena_printf(o->arena,
                                   "block %d: %d equations, %d iteration "
                                   "variables",
                                   b + 1, size, o->s->block[b].ntorn));
        put_nodes(o, b, &j);
        put_edges(o, b, &j);
        json_end(&j);
    }
    json_end(&j);
    fputs(";</script>\n", out);
}

void blt_draw_html(const Schedule *s, const Sources *sources, FILE *out)
{
    Arena *arena = arena_new();
    Order o = blt_arrange(s, sources, arena);
    fputs(head, out);
    fputs("<title>Blocks of ", out);
    markup_text(s->inlined->sys->flat->model, out);
    fputs("</title></head><body>\n<h2>", out);
    markup_text(s->inlined->sys->flat->model, out);
    fprintf(out,
            ", system %s: %d equations, %d blocks, %d iteration "
            "variables</h2>\n",
            s->system->name, s->system->neqn, s->nblock, s->niteration);
    fputs("<p class='k'><span style='background:#9fdc9f'>solved equation"
          "</span><span style='background:#fbd3e0'>loop</span>"
          "<span style='background:#ee8fb2'>iteration variables and residuals"
          "</span> o: can be solved for, x: cannot</p>\n"
          "<p><button onclick='scale(1.25)'>larger</button>"
          "<button onclick='scale(.8)'>smaller</button>"
          "<button onclick='scale()'>as it was</button></p>\n<div id='box'>\n",
          out);
    blt_matrix(&o, out);
    fputs("</div>\n<p>Loops as graphs: unknowns to the left, equations to the "
          "right. Click an edge to remove it, as a delay of information "
          "does.</p>\n",
          out);
    put_loops(&o, out);
    fputs(script, out);
    fputs("</body></html>\n", out);
    arena_free(arena);
}
