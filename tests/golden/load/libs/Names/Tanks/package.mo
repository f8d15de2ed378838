within Names;
package Tank
  model Small
  end Small;
end Tank;
